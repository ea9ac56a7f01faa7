import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Mail, MailLinks } from '@rollcall/core'
import { escapeText, hasErrorCode } from '@rollcall/platform-node'
import Mustache from 'mustache'
import { coloursWith } from './mail-colours.ts'
import { filledFace, signed } from './mail-face.ts'
import { DEFAULT_LANGUAGE } from './mail-language.ts'
import { MailSettingsNotUsable } from './mail-settings.ts'
import { ABOUT_SEVERAL, type MailView, type TemplateName } from './mail-view.ts'

export const templateOf = ({ kind, feeds = [] }: Pick<Mail, 'kind' | 'feeds'>): TemplateName => {
  const several = feeds.length > 1 ? ABOUT_SEVERAL.find((one) => one === kind) : undefined
  return several ? `several-${several}` : kind
}

export type MailTemplate = (view: MailView) => {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const REQUIRED_LINKS = {
  confirmation: ['confirm', 'refuse'],
  reminder: ['confirm', 'refuse'],
  'already-subscribed': ['unsubscribe'],
  welcome: ['unsubscribe'],
  preferences: ['preferences'],
  move: ['move'],
  moved: ['undo'],
  'several-confirmation': ['confirm', 'refuse'],
  'several-reminder': ['confirm', 'refuse'],
  'several-already-subscribed': ['preferences'],
} as const satisfies Record<TemplateName, readonly (keyof MailLinks)[]>

const BUILT_IN = path.join(import.meta.dirname, '..', 'templates')
const LAYOUT = 'layout.html'
const KINDS = Object.keys(REQUIRED_LINKS) as readonly TemplateName[]
const LANGUAGE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i

/**
 * The mails in every language there is: what a deployer gives, file by file, before what is built in. Read at first
 * use, then kept.
 */
export class MailTemplates {
  /** The deployer's, if any, comes first. */
  readonly #folders: readonly string[]
  /** Folders by language tag in lower case, in the order of `#folders`. A name that a mail brings is only looked up here. */
  readonly #languages = new Map<string, string[]>()
  readonly #read = new Map<string, MailTemplate | undefined>()

  /** @throws {MailSettingsNotUsable} the deployer's folder cannot be read, or something in it is broken */
  constructor(deployersFolder: string | undefined) {
    this.#folders = deployersFolder === undefined ? [BUILT_IN] : [deployersFolder, BUILT_IN]
    for (const folder of this.#folders) {
      for (const language of languagesIn(folder)) {
        const key = language.toLowerCase()
        this.#languages.set(key, [...(this.#languages.get(key) ?? []), path.join(folder, language)])
      }
    }
    if (deployersFolder === undefined) return
    for (const language of this.#languages.keys()) for (const kind of KINDS) this.#in(language, kind)
  }

  /** Every language that there are mails in, in alphabetical order. */
  get languages(): readonly string[] {
    return [...this.#languages.keys()].sort()
  }

  /** The mail in the first of these languages that there is. */
  find(kind: TemplateName, languages: readonly string[]): MailTemplate {
    for (const language of languages) {
      const found = this.#in(language, kind)
      if (found) return found
    }
    throw new MailSettingsNotUsable(`The mail templates for '${kind}' are missing. Install the service again.`)
  }

  #in(language: string, kind: TemplateName): MailTemplate | undefined {
    const folders = this.#languages.get(language)
    if (!folders) return undefined
    const key = `${language}/${kind}`
    if (!this.#read.has(key)) this.#read.set(key, this.#readFrom(folders, kind))
    return this.#read.get(key)
  }

  #readFrom(folders: readonly string[], kind: TemplateName): MailTemplate | undefined {
    const text = firstFile(folders, `${kind}.txt`)
    const html = firstFile(folders, `${kind}.html`)
    if (!text && !html) return undefined
    const language = path.basename(folders.at(-1) ?? DEFAULT_LANGUAGE)
    const layout = firstFile(this.#folders, LAYOUT)
    if (text && html && layout) return mailTemplate(kind, language, { text, html, layout })
    throw new MailSettingsNotUsable(`${folders[0]} must have both ${kind}.txt and ${kind}.html.`)
  }
}

const languagesIn = (folder: string): string[] => {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => !entry.isFile() && LANGUAGE.test(entry.name)).map(({ name }) => name)
  } catch (cause) {
    const message = `The folder of mail templates ${folder} cannot be read. Fix its name or permissions.`
    throw new MailSettingsNotUsable(message, { cause })
  }
}

interface TemplateFile {
  readonly file: string
  readonly source: string
}

const firstFile = (folders: readonly string[], name: string): TemplateFile | undefined => {
  for (const folder of folders) {
    const file = path.join(folder, name)
    try {
      return { file, source: readFileSync(file, 'utf8') }
    } catch (cause) {
      if (!hasErrorCode(cause, 'ENOENT'))
        throw new MailSettingsNotUsable(`The mail template ${file} cannot be read. Fix its permissions.`, { cause })
    }
  }
  return undefined
}

const SUBJECT = /^\uFEFF?Subject: (.+?)[ \t]*\r?\n(?:\r?\n)?/

/**
 * Puts a mail together from its files: text with the subject in its first line, HTML, and the page around the HTML.
 * @throws {MailSettingsNotUsable} a file is broken, or lacks a link that this kind of mail must have
 */
const mailTemplate = (
  kind: TemplateName,
  language: string,
  files: { readonly text: TemplateFile; readonly html: TemplateFile; readonly layout: TemplateFile },
): MailTemplate => {
  const { file, source } = files.text
  const first = SUBJECT.exec(source)
  if (!first) throw new MailSettingsNotUsable(`The mail template ${file} must begin with a line 'Subject: ...'.`)
  const subject = parsed({ file, source: first[1] ?? '' }, String)
  const text = parsed({ file, source: source.slice(first[0].length) }, String)
  const html = parsed(files.html, escapeHtml)
  const layout = parsed(files.layout, escapeHtml)
  requireLinks(kind, text, file)
  requireLinks(kind, html, files.html.file)
  return (view) => {
    const filled = { ...view, ...filledFace(kind, view, language) }
    const page = { ...filled, subject: filled.subject ?? subject(view).trim() }
    return {
      subject: page.subject,
      text: `${text(page)}${signed(page)}`,
      html: layout({ ...page, content: html(page) }),
    }
  }
}

// Without its link a mail is worse than none; better to hear of it now than from the people who got it.
const requireLinks = (kind: TemplateName, part: Template, file: string): void => {
  const rendered = part(PROBE)
  const missing = REQUIRED_LINKS[kind].find((link) => !rendered.includes(PROBE.links[link]))
  if (missing !== undefined)
    throw new MailSettingsNotUsable(`The mail template ${file} must have the link {{links.${missing}}}.`)
}

const PROBE = {
  feed: { name: 'feed', title: 'feed', description: '' },
  host: 'host',
  language: 'en',
  colours: coloursWith(undefined),
  subject: 'subject',
  wording: { lines: ['wording'] },
  feeds: [{ title: 'feed', wording: { lines: ['wording'] } }],
  links: {
    confirm: 'https://host/confirm',
    refuse: 'https://host/refuse',
    preferences: 'https://host/preferences',
    move: 'https://host/move',
    undo: 'https://host/undo',
    unsubscribe: 'https://host/unsubscribe',
  },
} as const

/** A file of a template, parsed once and rendered often. */
type Template = (view: object) => string

const parsed = ({ file, source }: TemplateFile, escaped: (value: unknown) => string): Template => {
  const writer = new Mustache.Writer()
  const tokens = parse(writer, withCrlf(source), file)
  return (view) => writer.renderTokens(tokens, new Mustache.Context(view), undefined, source, { escape: escaped })
}

const parse = (writer: Mustache.Writer, source: string, file: string): string[][] => {
  try {
    return writer.parse(source)
  } catch (cause) {
    throw new MailSettingsNotUsable(`The mail template ${file} is broken: ${(cause as Error).message}.`, { cause })
  }
}

// Mails have no other line ends. Here once, not in every mail: what is filled in has none.
const withCrlf = (source: string): string => source.replace(/\r\n?|\n/g, '\r\n')

// Fewer signs than Mustache would: a link stays readable, and attributes are quoted.
const escapeHtml = (value: unknown): string => escapeText(String(value))
