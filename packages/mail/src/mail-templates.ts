import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { languageRanges, type MailKind } from '@rollcall/core'
import { hasErrorCode } from '@rollcall/platform-node'
import { MailSettingsNotUsable } from './mail-settings-not-usable.ts'
import { type MailTemplate, mailTemplate, REQUIRED_LINKS, type TemplateFile } from './mail-template.ts'

const BUILT_IN = path.join(import.meta.dirname, '..', 'templates')
const LAST_RESORT = 'en'
const LAYOUT = 'layout.html'
const KINDS = Object.keys(REQUIRED_LINKS) as readonly MailKind[]
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
    if (deployersFolder !== undefined) this.#readAll()
  }

  /** The mail in the first of these languages that there is, or in what RFC 4647 has them fall back on; else in English. */
  find(kind: MailKind, languages: readonly (string | undefined)[]): MailTemplate {
    for (const language of [...languages, LAST_RESORT]) {
      for (const range of language === undefined ? [] : languageRanges(language)) {
        const found = this.#in(range, kind)
        if (found) return found
      }
    }
    throw new MailSettingsNotUsable(`The mail templates for '${kind}' are missing. Install the service again.`)
  }

  #in(language: string, kind: MailKind): MailTemplate | undefined {
    const folders = this.#languages.get(language)
    if (!folders) return undefined
    const key = `${language}/${kind}`
    if (!this.#read.has(key)) this.#read.set(key, this.#readFrom(folders, kind))
    return this.#read.get(key)
  }

  #readFrom(folders: readonly string[], kind: MailKind): MailTemplate | undefined {
    const text = firstFile(folders, `${kind}.txt`)
    const html = firstFile(folders, `${kind}.html`)
    if (!text && !html) return undefined
    const language = path.basename(folders.at(-1) ?? LAST_RESORT)
    const layout = firstFile(this.#folders, LAYOUT)
    if (text && html && layout) return mailTemplate(kind, language, { text, html, layout })
    throw new MailSettingsNotUsable(`${folders[0]} must have both ${kind}.txt and ${kind}.html.`)
  }

  #readAll(): void {
    for (const language of this.#languages.keys()) for (const kind of KINDS) this.#in(language, kind)
  }
}

const languagesIn = (folder: string): string[] => {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => !entry.isFile() && LANGUAGE.test(entry.name)).map(({ name }) => name)
  } catch (error) {
    throw new MailSettingsNotUsable(
      `The folder of mail templates ${folder} cannot be read. Fix its name or permissions.`,
      {
        cause: error,
      },
    )
  }
}

const firstFile = (folders: readonly string[], name: string): TemplateFile | undefined => {
  for (const folder of folders) {
    const file = path.join(folder, name)
    try {
      return { file, source: readFileSync(file, 'utf8') }
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) {
        throw new MailSettingsNotUsable(`The mail template ${file} cannot be read. Fix its permissions.`, {
          cause: error,
        })
      }
    }
  }
  return undefined
}
