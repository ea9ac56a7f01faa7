import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import type { Visit } from '../visit.ts'

/** How far something has come, and the button that goes on with it, which the script presses if it runs. */
export const goesOn = ({ options }: Visit, path: string, now: number, most: number): Html => {
  const { goesOn: texts } = options.texts
  return html`<label for="progress">${fillMarkup(texts.progress, { now, most })}</label>
<progress id="progress" value="${now}" max="${Math.max(1, most)}"></progress>
<form method="post" action="${path}" data-goes-on>
<p id="goes-on" hidden><label class="tick"><input type="checkbox"> ${texts.byItself}</label></p>
<button type="submit" autofocus>${texts.goOn}</button></form>`
}
