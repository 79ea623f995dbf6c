import type { LearningRecord } from '../core/api';

interface VsCodeApi {
  postMessage(message: unknown): void;
}
declare const acquireVsCodeApi: (() => VsCodeApi) | undefined;

/** In VS Code the extension sends the learnings; elsewhere the page fetches them. */
async function start(): Promise<void> {
  if (typeof acquireVsCodeApi === 'function') {
    window.addEventListener('message', (event: MessageEvent<{ learnings: LearningRecord[] }>) => {
      render(event.data.learnings);
    });
    acquireVsCodeApi().postMessage({ type: 'ready' });
    return;
  }
  const response = await fetch(`api/learnings${window.location.search}`);
  if (!response.ok) throw new Error(await response.text());
  const { learnings } = (await response.json()) as { learnings: LearningRecord[] };
  render(learnings);
}

function render(learnings: readonly LearningRecord[]): void {
  const active = learnings.filter(({ status }) => status === 'active').length;
  const heading = element('h1', 'Project Learnings');
  const count = element('p', `${active} active, ${learnings.length - active} superseded`);
  const list = document.createElement('ul');
  list.append(...learnings.map(row));
  document.getElementById('dashboard')?.replaceChildren(heading, count, list);
}

function row(learning: LearningRecord): HTMLElement {
  const item = document.createElement('li');
  item.className = learning.status;
  const scope = [
    ...learning.scope.paths,
    ...learning.scope.tags.map((tag) => `#${tag}`),
    ...learning.scope.symbols,
  ];
  item.append(
    element('code', learning.id),
    element('span', learning.summary),
    element('small', scope.join('  ')),
  );
  return item;
}

function element(tag: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

start().catch((error: unknown) => {
  document
    .getElementById('dashboard')
    ?.replaceChildren(element('p', `The learnings could not be loaded: ${String(error)}`));
});
