import { nameOf, type Supply, type ToolStore } from '../core/api';

/** What may be given of a store that has just been read. */
export function supplyOf(store: ToolStore): Supply {
  const { learnings } = store;
  return {
    settings: learnings.settings().settings,
    async find(target, { limit, accept }) {
      const offers = [];
      let total = 0;
      for (const { record, origin, matchedBy } of learnings.find(target).matches) {
        const name = nameOf(origin, record);
        if (!accept(name)) continue;
        if (offers.length < limit) {
          const held = learnings.get(name);
          if (!held || (await store.isOutdated(held))) continue;
          const { summary, rationale, priority } = record;
          offers.push({ name, summary, rationale, priority, matchedBy });
        }
        total++;
      }
      return { offers, total };
    },
  };
}
