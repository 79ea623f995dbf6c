import { oneLine } from '../core/api';

export { escapeMarkdown } from '../core/api';

/** For places where VS Code draws `$(name)` as an icon: lenses, the status bar, quick picks. */
export function plainLabel(text: string, maxChars = 200): string {
  // Escaped only where it would be one: elsewhere the backslash would be seen.
  return oneLine(text, maxChars).replaceAll(/\$\([\w-]+(?:~[A-Za-z]+)?\)/g, '\\$&');
}
