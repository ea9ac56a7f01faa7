import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { mergedTexts, OperatorError } from '@rollcall/platform-node'
import { DEFAULT_LANGUAGE, type Languages, SHIPPED_LANGUAGES, type Texts, textsFor } from './language.ts'
import { type Pages, styleOf } from './pages.ts'

/** Pages cannot be made of what a deployer gave; `message` names the file and says what to correct. */
export class PagesNotUsable extends OperatorError {
  override readonly name = 'PagesNotUsable'
}

const LANGUAGE_FILE = /^([^.].*)\.json$/
const THEME_FILE = 'theme.css'

/**
 * The pages with the changes of a folder: `<language>.json` adds a language, or replaces texts of an existing one;
 * `theme.css` is added after the style. Other files are ignored.
 * @throws {PagesNotUsable} a file cannot be read, or its content is not valid
 */
export const readPages = (folder: string): Pages => {
  const names = namesIn(folder)
  const theme = names.includes(THEME_FILE) ? path.join(folder, THEME_FILE) : undefined
  return {
    languages: languagesIn(folder, names),
    style: styleOf(theme && checkTheme(theme, textOf(theme))),
  }
}

const languagesIn = (folder: string, names: readonly string[]): Languages => {
  const languages = new Map(SHIPPED_LANGUAGES)
  const files = names.flatMap((name) => {
    const language = LANGUAGE_FILE.exec(name)?.[1]
    return language === undefined ? [] : [{ file: path.join(folder, name), language }]
  })
  // The shorter tag first: what is missing in `pt-BR` is looked up in `pt`.
  for (const { file, language } of files.sort((a, b) => a.language.length - b.language.length)) {
    const key = keyOf(file, language)
    languages.set(key, { ...textsIn(file, textOf(file), textsFor(languages, [key]) ?? DEFAULT_LANGUAGE), language })
  }
  return languages
}

/** The result of the work; if that fails, an error with the message. */
const orRefuse = <T>(work: () => T, message: (error: Error) => string): T => {
  try {
    return work()
  } catch (error) {
    throw new PagesNotUsable(message(error as Error), { cause: error })
  }
}

const keyOf = (file: string, language: string): string =>
  orRefuse(
    () => new Intl.Locale(language).baseName.toLowerCase(),
    () => `The name of ${file} must be a language tag such as nl.json or pt-BR.json.`,
  )

const namesIn = (folder: string): string[] =>
  orRefuse(
    () => readdirSync(folder),
    () => `The folder of pages ${folder} cannot be read. Fix its name or its permissions.`,
  )

const textOf = (file: string): string =>
  orRefuse(
    () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)),
    () => `${file} cannot be read. Fix its permissions, and make sure that it is text in UTF-8.`,
  )

const LONGEST_THEME = 64 * 1024
const END_OF_STYLE = /<\/style/i
// Pages load nothing else; the missing part would only be noticed in a browser.
const ELSEWHERE = /@import\b|url\((?!\s*["']?(?:data:|#))/i

/**
 * A style sheet that is added after the one that pages have.
 * @throws {PagesNotUsable} it cannot be inserted into a page as it is
 */
const checkTheme = (file: string, css: string): string => {
  const refuse = (problem: string): never => {
    throw new PagesNotUsable(`${file} ${problem}`)
  }
  if (Buffer.byteLength(css) > LONGEST_THEME) return refuse('is too long: it may have 64 KiB.')
  if (END_OF_STYLE.test(css)) return refuse("must not contain '</style', not even in a comment.")
  if (css.includes('\0')) return refuse('must not contain a null character.')
  if (ELSEWHERE.test(css))
    return refuse(
      'loads something from elsewhere, which pages do not allow: write it in as a data: URL, without @import.',
    )
  return css.replace(/\r\n?/g, '\n')
}

/**
 * The texts of a file; if it has none, those of the fallback language.
 * @throws {PagesNotUsable} naming the file and the key that is not valid
 */
const textsIn = (file: string, json: string, fallback: Texts): Texts =>
  // A tree with the keys of the English texts, each with a text, is of the type Texts.
  mergedTexts(parsed(file, json), {
    model: DEFAULT_LANGUAGE,
    fallback,
    refuse: (problem) => {
      throw new PagesNotUsable(`${file}: ${problem}`)
    },
  }) as unknown as Texts

const parsed = (file: string, json: string): unknown =>
  orRefuse(
    () => JSON.parse(json),
    ({ message }) => `${file} is not JSON. Correct it: ${message.replace(/\s+/g, ' ')}.`,
  )
