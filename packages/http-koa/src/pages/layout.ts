import { Html, html } from './html.ts'
import type { Texts } from './language.ts'
import { STYLE } from './style.ts'

const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`)

/** A whole document: one heading, one landmark, no script. */
export const layout = ({ language }: Texts, title: string, content: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${STYLE_ELEMENT}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text
