import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/product';
import { hookCalls } from '../../src/core/api';
import { bundle, runNode, temporaryFolder } from './product';

const approved = join(checkout, 'test', 'fixtures', 'agentTexts.md');

/**
 * What each agent reads, word for word, in the sample project. Read the file as product whenever it changes;
 * LEARNINGS_APPROVE=1 writes it anew.
 */
describe('what agents read', () => {
  it('is what was approved, for every harness and everything that it does', () => {
    const root = join(temporaryFolder(), 'tide-table');
    cpSync(join(checkout, 'samples'), root, { recursive: true });
    const path = 'src/http/server.ts';
    const calls = hookCalls({
      file: join(root, path),
      path,
      cwd: root,
      session: (index) => `s${index}`,
      now: new Date('2026-05-09T18:00:00Z'),
    });
    const texts = new Map<string, string[]>();
    for (const { agent, event, tool, args, payload, env } of calls) {
      const { status, stdout } = runNode([bundle('hook'), ...args], {
        cwd: root,
        input: JSON.stringify(payload),
        env: { HOME: join(root, 'nobody'), USERPROFILE: join(root, 'nobody'), ...env },
      });
      assert.equal(status, 0);
      const said =
        stdout === '' ? '(nothing)' : (JSON.parse(stdout) as { additionalContext: string }).additionalContext;
      const who = `${agent} ${event}${tool === undefined ? '' : ` ${tool}`}`;
      texts.set(said, [...(texts.get(said) ?? []), who]);
    }
    const page = [...texts].map(
      ([said, who]) => `${who.map((one) => `- ${one}`).join('\n')}\n\n\`\`\`text\n${said}\n\`\`\`\n`,
    );
    const text = `# What agents read about ${path}\n\n${page.join('\n')}`;
    if (process.env['LEARNINGS_APPROVE']) writeFileSync(approved, text);
    assert.equal(text, readFileSync(approved, 'utf8'));
  });
});
