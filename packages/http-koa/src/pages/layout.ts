import { challengeScript } from './challenge.ts'
import { html } from './html.ts'
import { directionOf } from './language.ts'
import { MARKS } from './mark.ts'
import type { Page } from './page.ts'
import type { Style } from './style.ts'

/**
 * A whole document: one heading, one landmark, no script but what solves a challenge.
 * @param nonce of the script, where there is one
 */
export const layout = (
  { texts: { language }, title, heading, mark, content }: Page,
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
${mark && MARKS[mark]}
<h1>${heading ?? title}</h1>
${content}
</main>
</body>
</html>
`.text
