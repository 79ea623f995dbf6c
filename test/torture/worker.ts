// A process that works on a store until it is done or killed. What it was promised it prints.
import { LearningsError } from '../../src/core/api';
import { openStoreAt } from '../../src/node/open';
import { dice } from './random';

const [root = '', name = '', seedText, countText] = process.argv.slice(2);
const chance = dice(Number(seedText));
const count = Number(countText);

/** One acknowledged operation; printed whole, so that a kill cannot cut what the parent has read. */
export type Acknowledged =
  | { readonly did: 'add'; readonly id: string; readonly summary: string }
  | { readonly did: 'update'; readonly id: string; readonly key: string; readonly value: number }
  | { readonly did: 'upvote'; readonly id: string; readonly voter: string; readonly task: string }
  | { readonly did: 'retract'; readonly id: string; readonly voter: string; readonly task: string }
  | { readonly did: 'withdraw'; readonly id: string; readonly summary: string }
  | { readonly did: 'supersede'; readonly id: string; readonly by: string }
  | { readonly did: 'archive' | 'restore'; readonly id: string }
  | { readonly did: 'propose' | 'reject'; readonly id: string }
  | { readonly did: 'promote'; readonly id: string; readonly from: string };

async function mixed(): Promise<void> {
  const store = openStoreAt(root);
  const say = (done: Acknowledged): void => void process.stdout.write(`${JSON.stringify(done)}\n`);
  const mine: string[] = [];
  let known: string[] = [];
  for (let step = 0; step < count; step++) {
    if (step % 250 === 0) known = (await store.read()).learnings.map(({ record }) => record.id);
    const id = chance.pick(known) ?? 'L-0001';
    const own = chance.pick(mine);
    try {
      switch (chance.roll(12)) {
        case 0:
        case 1: {
          const summary = `Written by ${name} at step ${step}.`;
          const added = await store.add({ summary, scope: { paths: [`src/${name}/**`] } });
          say({ did: 'add', id: added, summary });
          mine.push(added);
          break;
        }
        case 2:
        case 3:
        case 4: {
          const key = `seen_by_${name}`;
          await store.update(id, [[[key], step]]);
          say({ did: 'update', id, key, value: step });
          break;
        }
        case 5:
        case 6: {
          const task = `T-${chance.roll(40)}`;
          await store.upvote(id, { voter: name, task });
          say({ did: 'upvote', id, voter: name, task });
          break;
        }
        case 7:
          await store.supersede(id, own ?? id);
          say({ did: 'supersede', id, by: own ?? id });
          break;
        case 8:
          // Only what is ours, so that the last word on it is ours too.
          if (own === undefined) break;
          await store.archive(own);
          say({ did: 'archive', id: own });
          await store.restore(own);
          say({ did: 'restore', id: own });
          break;
        case 9: {
          const vote = { voter: name, task: `R-${step}` };
          await store.upvote(id, vote);
          await store.retractVote(id, vote);
          say({ did: 'retract', id, ...vote });
          break;
        }
        case 10: {
          const summary = `Taken back by ${name} at step ${step}.`;
          const supersedes = own === undefined ? [] : [own];
          const taken = await store.add({ summary, scope: { paths: ['**'] }, supersedes });
          await store.withdraw(taken);
          say({ did: 'withdraw', id: taken, summary });
          break;
        }
        default: {
          const from = await store.propose({ summary: `Proposed by ${name}.`, scope: { tags: ['t'] } });
          say({ did: 'propose', id: from });
          if (chance.roll(2) === 0) {
            say({ did: 'promote', id: await store.promote(from), from });
          } else {
            await store.reject(from);
            say({ did: 'reject', id: from });
          }
        }
      }
    } catch (error) {
      // Refusals are part of the game: somebody else superseded or archived it first.
      if (!(error instanceof LearningsError) || !['refused', 'not-found', 'conflict'].includes(error.code))
        throw error;
    }
  }
}

mixed().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
