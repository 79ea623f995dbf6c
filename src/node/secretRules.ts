// A bundle of its own, dist/secretRules.js: only a write needs it, and it is larger than all that a read needs.
import { lintSource } from '@secretlint/core';
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';

import type { Secrets } from '../core/api';

const ofRule = (name: string): string => `@secretlint/secretlint-rule-${name}`;

/** Secretlint's recommended rules, without the one that lets a text switch the others off. */
const rules = recommended
  .filter(({ meta }) => meta.id !== ofRule('filter-comments'))
  .map((rule) => ({ id: rule.meta.id, rule, options: { enableIDScanRule: true } }));
/** Looks for `_authToken=` in a file of this name alone, which a learning may quote. */
const npmRules = rules.filter(({ id }) => id === ofRule('npm'));

const names: Readonly<Record<string, string>> = {
  AWSSecretAccessKey: 'an AWS secret access key',
  AWSAccessKeyID: 'an AWS access key id',
  PrivateKeyP12: 'a Google Cloud private key',
  PrivateKeyJSON: 'a Google Cloud private key',
  PackageJSON_xOauthToken: 'a GitHub token',
  Npmrc_authToken: 'an npm token',
  NPM_ACCESS_TOKEN: 'an npm token',
  SLACK_TOKEN: 'a Slack token',
  IncomingWebhook: 'the address of a Slack webhook',
  BasicAuth: 'a password in a URL',
  OPENAI_TOKEN: 'an OpenAI API key',
  ANTHROPIC_API_KEY: 'an Anthropic API key',
  LINEAR_API_TOKEN: 'a Linear API key',
  PrivateKey: 'a private key',
  SENDGRID_KEY: 'a SendGrid API key',
  SHOPIFY_KEY: 'a Shopify API key',
  GITHUB_TOKEN: 'a GitHub token',
  OPS_TOKEN: 'a 1Password token',
  MongoDBConnection: 'a password for MongoDB',
  MySQLConnection: 'a password for MySQL',
  PostgreSQLConnection: 'a password for PostgreSQL',
};

/**
 * Knows the tokens and keys of the services above by their shape, private keys, and passwords in URLs and connection
 * strings. A secret without a shape, such as a plain password, it cannot know.
 */
export const findSecrets: Secrets['find'] = async (text) => {
  const lint = async (filePath: string, chosen: typeof rules) => {
    const source = { filePath, content: text, contentType: 'text' } as const;
    return (await lintSource({ source, options: { config: { rules: chosen } } })).messages;
  };
  const messages = [...(await lint('learning.yaml', rules)), ...(await lint('.npmrc', npmRules))];
  // The number of an account opens nothing. The message itself would repeat the secret.
  const found = messages
    .filter(({ messageId }) => messageId !== 'AWSAccountID')
    .map(({ messageId, range: [offset] }) => ({ what: names[messageId] ?? 'a secret', offset }));
  return [...new Map(found.map((one) => [one.offset, one])).values()].toSorted((a, b) => a.offset - b.offset);
};
