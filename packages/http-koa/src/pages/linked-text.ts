import { type Html, html } from '@rollcall/platform-node'

const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?()[\]'])/

/** A text with its web addresses as links. */
export const linkedText = (text: string): Html =>
  html`${text.split(ADDRESS).map((part, i) => (i % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`))}`
