import { hash } from 'node:crypto'
import { Html, html } from '@rollcall/platform-node'
import { SHIPPED_LANGUAGES } from './language.ts'
import { STYLE } from './style-sheet.ts'

export interface Pages {
  /** Texts by language tag. Their type stays inside: the compiler of a host may not read it from the JSON files. */
  readonly languages: ReadonlyMap<string, object>
  readonly style: Style
}

export interface Style {
  /** The elements in the head of every page. */
  readonly elements: Html
  /** The sources that a Content-Security-Policy must allow. */
  readonly sources: string
  /** What a theme adds to the shipped sheet; empty if there is none. */
  readonly theme: string
}

/** The style of every page and what a theme adds to it; inlined, so that a page is a single request. */
export const styleOf = (theme = ''): Style => {
  const sheets = theme === '' ? [STYLE] : [STYLE, theme]
  return {
    elements: html`${sheets.map((sheet) => new Html(`<style>${sheet}</style>`))}`,
    sources: sheets.map((sheet) => `'sha256-${hash('sha256', sheet, 'base64')}'`).join(' '),
    theme,
  }
}

/** Without changes by the deployer. */
export const SHIPPED_PAGES: Pages = { languages: SHIPPED_LANGUAGES, style: styleOf() }
