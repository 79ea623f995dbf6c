import assert from 'node:assert/strict';

import { ioError, LearningsError } from '../../src/core/api';
import { readConfig } from '../../src/core/config/config';
import { resolveSettings } from '../../src/core/config/settings';
import { memoryFileSystem } from './memoryFiles';
import { memoryStore } from './stores';

const CONFIG = '.learnings/config.yaml';
const read = (text: string) => readConfig(memoryFileSystem({ [CONFIG]: text }));

describe('config.yaml', () => {
  it('sets what it names', async () => {
    const { values, problems } = await read(
      'version: 1\nenabled: false\nmax_age_days: 180\ncaps:\n  per_call: 8\ninject: { read: false }\n',
    );
    assert.deepEqual(values, {
      enabled: false,
      max_age_days: 180,
      'caps.per_call': 8,
      'inject.read': false,
    });
    assert.deepEqual(problems, []);
  });

  it('loses a value that is wrong, says where, and keeps the others', async () => {
    const { values, problems } = await read(
      'enabled: perhaps\ncaps:\n  per_session: 30\n  per_call: 0\nper_session: 3\nversion: 2\n',
    );
    assert.deepEqual(values, { 'caps.per_session': 30 });
    assert.deepEqual(
      problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
      [
        '6:1 version must be 1',
        '1:1 enabled must be true or false',
        '4:3 caps.per_call must be at least 1',
        '5:1 per_session is not a setting',
      ],
    );
    assert.match(problems[3]?.hint ?? '', /below caps: caps\.per_session/);
  });

  it('holds for nothing if it cannot be read at all, and says why', async () => {
    for (const text of ['a: [', '- a\n', '<<<<<<< HEAD\n', 'a: &x 1\n']) {
      const { values, problems } = await read(text);
      assert.deepEqual(values, {});
      assert.equal(problems.length, 1, text);
    }
    assert.deepEqual((await read('')).problems, []);
  });

  it('is written key by key, and keeps what people wrote around it', async () => {
    const before = '# ours\nversion: 1\ncaps:\n  per_call: 5 # enough\n';
    const { store, files } = memoryStore({ [CONFIG]: before });
    await store.configure('caps.per_call', 8);
    await store.configure('extends', ['../shared']);
    assert.match(
      files.snapshot()[CONFIG] ?? '',
      /^# ours\nversion: 1\ncaps:\n {2}per_call: 8 # enough\nextends:\n {2}- \.\.\/shared\n$/,
    );
    await store.configure('extends', undefined);
    await store.configure('caps.per_call', 5);
    assert.equal(files.snapshot()[CONFIG], before);
  });

  it('is written where there is nothing in it yet, or in a group of it', async () => {
    for (const [before, after] of [
      ['', 'caps:\n  per_call: 8\n'],
      ['# ours\n', '# ours\ncaps:\n  per_call: 8\n'],
      ['version: 1\ncaps:\nenabled: true\n', 'version: 1\ncaps:\n  per_call: 8\nenabled: true\n'],
      ['caps: {}\n', 'caps: {per_call: 8}\n'],
    ] as const) {
      const { store, files } = memoryStore({ [CONFIG]: before });
      await store.configure('caps.per_call', undefined);
      assert.equal(files.snapshot()[CONFIG], before);
      await store.configure('caps.per_call', 8);
      assert.equal((files.snapshot()[CONFIG] ?? '').replace(/\n\n/g, '\n'), after);
    }
  });

  it('is not written where a list or a single value is in the way, which is named', async () => {
    for (const [text, message] of [
      ['- a\n', /config\.yaml:1: not a configuration/],
      ['caps: 5\n', /config\.yaml: caps is not a map of keys/],
      ['caps: [5]\n', /config\.yaml: caps is not a map of keys/],
    ] as const) {
      const { store, files } = memoryStore({ [CONFIG]: text });
      await assert.rejects(
        store.configure('caps.per_call', 8),
        (error) => error instanceof LearningsError && message.test(error.message),
      );
      assert.equal(files.snapshot()[CONFIG], text);
    }
  });

  it('is a problem, and no end of everything, where it may not be read', async () => {
    const files = memoryFileSystem({ [CONFIG]: 'enabled: false\n', '.learnings/tags.yaml': 'a: A.\n' });
    files.fault = ({ verb, path }) => {
      if (verb === 'read' && path === CONFIG) throw ioError('EACCES', { verb, path });
    };
    const { values, tags, problems } = await readConfig(files);
    assert.deepEqual([values, [...tags.keys()]], [{}, ['a']]);
    assert.deepEqual(
      problems.map(({ code, file, severity }) => ({ code, file, severity })),
      [{ code: 'unreadable', file: CONFIG, severity: 'error' }],
    );
  });

  it('gives advice for conflict markers that can be followed', async () => {
    const text = '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n';
    assert.doesNotMatch((await read(text)).problems[0]?.hint ?? 'doctor', /doctor/);
    const record = '.learnings/L-0001/learning.yaml';
    const { store } = memoryStore({ [record]: text });
    assert.match((await store.read()).problems[0]?.hint ?? '', /doctor --fix/);
  });

  it('is not written over where it is broken', async () => {
    const { store, files } = memoryStore({ [CONFIG]: 'a: [\n' });
    await assert.rejects(
      store.configure('enabled', false),
      (error) => error instanceof LearningsError && error.message.includes('config.yaml:2'),
    );
    assert.equal(files.snapshot()[CONFIG], 'a: [\n');
  });
});

describe('tags.yaml', () => {
  it('says what tags mean, and loses only the lines that do not', async () => {
    const { tags, problems } = await readConfig(
      memoryFileSystem({ '.learnings/tags.yaml': 'perf: Speed and memory.\nbad: [1]\n' }),
    );
    assert.deepEqual([...tags], [['perf', 'Speed and memory.']]);
    assert.deepEqual(
      problems.map(({ file, line }) => ({ file, line })),
      [{ file: '.learnings/tags.yaml', line: 2 }],
    );
  });
});

describe('settings', () => {
  it('take the environment over the editor over config.yaml over the default', () => {
    const { settings, sources } = resolveSettings({
      environment: { LEARNINGS_PER_CALL_CAP: '9', LEARNINGS_ENABLED: 'off' },
      editor: { 'caps.per_call': 8, 'caps.per_session': 18 },
      config: { 'caps.per_call': 7, 'caps.per_session': 17, 'caps.row_chars': 70 },
    });
    assert.deepEqual(
      [
        settings['caps.per_call'],
        settings['caps.per_session'],
        settings['caps.row_chars'],
        settings['caps.block_bytes'],
        settings.enabled,
      ],
      [9, 18, 70, 24_576, false],
    );
    assert.equal(sources['caps.row_chars'], 'config.yaml');
  });

  it('reads numbers, switches, lists and nothing from plain text, and passes over what is none', () => {
    const environment = {
      LEARNINGS_MAX_AGE_DAYS: 'never',
      LEARNINGS_EXTENDS: '../a,../b',
      LEARNINGS_VOTE_HALF_LIFE_DAYS: '0',
      LEARNINGS_SESSION_CAP: 'many',
      LEARNINGS_PROMOTE_AFTER_DAYS: ' ',
    };
    const { settings, refused } = resolveSettings({ environment, config: { max_age_days: 3 } });
    assert.equal(settings.max_age_days, null);
    assert.deepEqual(settings.extends, ['../a', '../b']);
    assert.equal(settings.vote_half_life_days, 0);
    assert.equal(settings['caps.per_session'], 20);
    assert.deepEqual(refused, [
      { variable: 'LEARNINGS_SESSION_CAP', message: 'must be a whole number' },
      { variable: 'LEARNINGS_PROMOTE_AFTER_DAYS', message: 'must not be blank' },
    ]);
  });
});
