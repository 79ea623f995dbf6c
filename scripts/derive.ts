import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { tools, type Tool } from '../src/core/api';
import { checkout } from './product';

/** What follows from the definitions of the tools: their part of the manifest, its texts, and the page about them. */
export interface Derived {
  readonly languageModelTools: readonly object[];
  readonly strings: Readonly<Record<string, string>>;
  readonly page: string;
}

export function derive(): Derived {
  return {
    languageModelTools: tools.map(contributionOf),
    strings: Object.fromEntries(
      tools.flatMap(({ name, title, userDescription }) => [
        [`tool.${name}.name`, title],
        [`tool.${name}.description`, userDescription],
      ]),
    ),
    page: pageOf(tools),
  };
}

function contributionOf({ name, description, inputSchema, readOnly }: Tool): object {
  return {
    name,
    displayName: `%tool.${name}.name%`,
    modelDescription: description,
    userDescription: `%tool.${name}.description%`,
    canBeReferencedInPrompt: true,
    toolReferenceName: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    icon: readOnly ? '$(lightbulb)' : '$(edit)',
    inputSchema,
  };
}

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly items?: Property;
}

function pageOf(all: readonly Tool[]): string {
  const sections = all.map(({ name, description, inputSchema, readOnly }) => {
    const { properties = {}, required = [] } = inputSchema as {
      properties?: Record<string, Property>;
      required?: string[];
    };
    const rows = Object.entries(properties).map(([key, property]) => {
      const unless =
        property.default === undefined ? '' : ` Unless given: \`${JSON.stringify(property.default)}\`.`;
      const must = required.includes(key) ? ' Required.' : '';
      return `| \`${key}\` | ${typeOf(property)} | ${property.description ?? ''}${must}${unless} |`;
    });
    return [
      `## ${name}`,
      '',
      description,
      '',
      readOnly ? 'It changes nothing.' : 'It changes the repository, so chats ask before it runs.',
      '',
      '| Parameter | Holds | What it means |',
      '|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${[
    '# The tools agents call',
    'The same in Copilot Chat, in every MCP client, and as `learnings tool <name> <json>` in a shell. This page is made from their definitions by `npm run derive`.',
    ...sections,
  ].join('\n\n')}\n`;
}

function typeOf({ type, enum: values, items }: Property): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  return type === 'array' ? `list of ${items?.type ?? 'object'}s` : (type ?? '');
}

/** `npm run derive`: writes what follows from the tools into the files that must have it literally. */
async function main(): Promise<void> {
  const { languageModelTools, strings, page } = derive();
  const update = async (name: string, change: (text: string) => string): Promise<void> => {
    const file = join(checkout, name);
    const options = (await resolveConfig(file)) ?? {};
    writeFileSync(file, await format(change(readFileSync(file, 'utf8')), { ...options, filepath: file }));
  };
  await update('package.json', (text) => {
    const manifest = JSON.parse(text) as { contributes: { languageModelTools: unknown } };
    manifest.contributes.languageModelTools = languageModelTools;
    return JSON.stringify(manifest, null, 2);
  });
  await update('package.nls.json', (text) => {
    const others = Object.entries(JSON.parse(text) as Record<string, string>);
    const kept = others.filter(([key]) => !/^tool\.\w+\.(?:name|description)$/.test(key));
    return JSON.stringify({ ...Object.fromEntries(kept), ...strings }, null, 2);
  });
  writeFileSync(join(checkout, 'docs', 'tools.md'), page);
}

if (require.main === module) void main();
