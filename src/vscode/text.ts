import { oneLine } from '../core/api';

/** For places where VS Code draws `$(name)` as an icon: lenses, the status bar, quick picks. */
export function plainLabel(text: string, maxChars = 200): string {
  return oneLine(text, maxChars).replaceAll(/\$\(/g, '\\$(');
}

/** A text as one line of Markdown that shows what it says and does nothing: no links, pictures, HTML or emphasis. */
export function escapeMarkdown(text: string, maxChars = 2000): string {
  return (
    oneLine(text, maxChars)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_{}[\]()#+\-.!~|$@]/g, '\\$&')
      // What looks like an address would become a link.
      .replaceAll(/:(?=\/\/|\S)/g, '&#58;')
  );
}
