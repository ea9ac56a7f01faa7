import { type Html, html } from './html.ts'

const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?()[\]'])/

/** A text whose web addresses can be followed: of what people agree to, some part mostly stands elsewhere. */
export const linkedText = (text: string): Html =>
  html`${text.split(ADDRESS).map((part, i) => (i % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`))}`
