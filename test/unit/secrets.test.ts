import assert from 'node:assert/strict';

import { nodeSecrets } from '../../src/node/secrets';

// Put together here, so that no scanner takes this file for a leak.
const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const find = (text: string) => nodeSecrets().find(text);

describe('secrets', () => {
  it('are named in words, with where they start', async () => {
    const examples: Record<string, string> = {
      'a GitHub token': token,
      'an AWS access key id': ['AKIA', 'Q3EGRAYCRGQVJ5BZ'].join(''),
      'an AWS secret access key': ['AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKE1'].join(
        '=',
      ),
      'a password in a URL': ['https://ada', 'S3cretPass1@example.com/'].join(':'),
      'an npm token': '//registry.npmjs.org/:_authToken=0123456789abcdef',
      'a private key': ['BEGIN', `${'MIIEowIBAAKCAQEA'.repeat(20)}\n`, 'END']
        .map((part) => (part.length > 5 ? part : `-----${part} RSA PRIVATE KEY-----\n`))
        .join(''),
    };
    for (const [what, text] of Object.entries(examples)) {
      const found = await find(`Here: ${text}`);
      assert.deepEqual(
        found.map((one) => one.what),
        [what],
        what,
      );
      assert.ok((found[0]?.offset ?? 0) >= 6, what);
    }
  });

  it('are found whatever the text says to those who look', async () => {
    for (const comment of ['# secretlint-disable', '// secretlint-disable-line', '/* secretlint-disable */'])
      assert.equal((await find(`${comment}\n${token} ${comment}`)).length, 1, comment);
  });

  it('are not seen in what is public', async () => {
    for (const text of ['account_id: 1234-5678-9012', '_authToken=${NPM_TOKEN}', 'https://example.com/a:b@c'])
      assert.deepEqual(await find(text), [], text);
  });
});
