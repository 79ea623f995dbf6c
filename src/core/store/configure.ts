import { CONFIG, parseConfig } from '../config/config';
import type { SettingKey } from '../config/settings';
import { LearningsError } from '../errors';
import { editYaml } from '../yaml/edit';
import { guardText } from '../yaml/guard';
import { readIfThere } from './files';
import type { Writer } from './writer';

/** Sets something in config.yaml, or takes it away. A file that cannot be understood is not written over. */
export async function setInConfig(writer: Writer, key: SettingKey, value: unknown): Promise<void> {
  const bytes = (await readIfThere(writer.files, CONFIG)) ?? new TextEncoder().encode('version: 1\n');
  const guarded = guardText(bytes, CONFIG);
  const { problems, isMap } = parseConfig(bytes);
  if ('problem' in guarded || !isMap) {
    const [broken] = problems;
    throw new LearningsError(
      'record-invalid',
      `${CONFIG}:${broken?.line ?? 1}: ${broken?.message ?? ''}. Mend it first.`,
    );
  }
  const [first = key, ...rest] = key.split('.');
  try {
    await writer.replaceFile(CONFIG, editYaml(guarded.text, [[[first, ...rest], value]]));
  } catch (error) {
    if (!(error instanceof LearningsError) || error.code !== 'record-invalid') throw error;
    throw new LearningsError('record-invalid', `${CONFIG}: ${error.message}`, { cause: error });
  }
}
