import { CHALLENGE_SCRIPT_VERSION } from './challenge-script.ts'
import { type Html, html } from './html.ts'
import type { Texts } from './language.ts'

/** What a form says to the script that solves its challenge: where to get one, and how to tell people about it. */
export const challengeAttributes = ({ challenge }: Texts, url: string): Html =>
  html` data-challenge="${url}" data-working="${challenge.working}" data-done="${challenge.done}" data-failed="${challenge.failed}"`

/** For who has no scripts, and so no way to solve one. */
export const challengeNotice = ({ challenge }: Texts): Html =>
  html`<noscript><p class="alarm">${challenge.noScript}</p></noscript>`

/** The script, from beside the page. */
export const challengeScript = (nonce: string): Html =>
  html`<script src="challenge.js?v=${CHALLENGE_SCRIPT_VERSION}" nonce="${nonce}" defer></script>`
