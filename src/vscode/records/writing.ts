/** A text as a YAML value, in quotes where it needs them; `isData` if it may be a number or a word such as null. */
export function asYaml(text: string, isData = false): string {
  const isPlain = /^[A-Za-z0-9_./][\w./ -]*$/.test(text) && text.trim() === text && !text.includes(' #');
  const isWord = /^(?:~|null|true|false|yes|no|on|off|[-+.\d]+)$/i.test(text);
  return isPlain && (isData || !isWord) ? text : JSON.stringify(text);
}
