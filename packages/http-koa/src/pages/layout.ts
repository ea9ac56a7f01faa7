import { challengeScript } from './challenge-script.ts'
import { html } from './html.ts'
import { ICONS } from './icons.ts'
import { directionOf } from './language.ts'
import type { Page } from './page.ts'
import type { Style } from './style.ts'

/**
 * A whole document: one heading, one landmark, and no script but the one that solves a challenge.
 * @param nonce of that script, if the page has it
 */
export const layout = (
  { texts: { language }, title, heading, icon, content }: Page,
  style: Style,
  nonce?: string,
): string =>
  html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
${style.elements}
${nonce === undefined ? undefined : challengeScript(nonce)}
</head>
<body>
<main>
${icon && ICONS[icon]}
<h1>${heading ?? title}</h1>
${content}
</main>
</body>
</html>
`.text
