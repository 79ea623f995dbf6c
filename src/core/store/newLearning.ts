import type { Evidence, LearningRecord } from '../record/schema';
import { renderYaml } from '../yaml/edit';
import { asValue } from './lists';

/** What somebody wants remembered. The store gives it its id and times. */
export interface NewLearning {
  readonly summary: string;
  readonly scope: {
    readonly paths?: readonly string[];
    readonly tags?: readonly string[];
    readonly symbols?: readonly string[];
  };
  readonly kind?: LearningRecord['kind'];
  readonly priority?: number;
  readonly confidence?: LearningRecord['confidence'];
  readonly rationale?: string;
  readonly body?: string;
  readonly evidence?: readonly Evidence[];
  readonly fingerprint?: readonly { readonly input: string; readonly hash: string }[];
  readonly createdBy?: string;
  /** The records this one takes the place of. */
  readonly supersedes?: readonly string[];
}

/** The text of a new record. */
export function renderNew(id: string, learning: NewLearning, at: string): string {
  const scope = Object.fromEntries(Object.entries(learning.scope).filter(([, list]) => list.length > 0));
  const optional = {
    kind: learning.kind ?? 'rule',
    priority: learning.priority,
    confidence: learning.confidence,
    created_at: at,
    updated_at: at,
    created_by: learning.createdBy,
    scope,
    summary: learning.summary,
    rationale: learning.rationale,
    body: learning.body,
    evidence: learning.evidence?.length ? learning.evidence : undefined,
    fingerprint: learning.fingerprint?.length ? learning.fingerprint : undefined,
    supersedes: asValue(learning.supersedes ?? []),
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return renderYaml({ id, schemaVersion: 1, status: 'active', ...Object.fromEntries(given) });
}
