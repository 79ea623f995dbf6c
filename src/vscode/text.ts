import { oneLine } from '../core/api';

export { escapeMarkdown } from '../core/api';

/** For places where VS Code draws `$(name)` as an icon: lenses, the status bar, quick picks. */
export function plainLabel(text: string, maxChars = 200): string {
  return oneLine(text, maxChars).replaceAll(/\$\(/g, '\\$(');
}
