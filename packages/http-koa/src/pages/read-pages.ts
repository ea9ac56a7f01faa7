import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { languageRanges } from '@rollcall/core'
import { LAST_RESORT, type Languages, SHIPPED_LANGUAGES, type Texts } from './languages.ts'
import type { Pages } from './pages.ts'
import { PagesNotUsable } from './pages-not-usable.ts'
import { styleOf } from './style.ts'
import { textsIn } from './texts-in.ts'
import { checkTheme } from './theme.ts'

const LANGUAGE_FILE = /^([^.].*)\.json$/
const THEME_FILE = 'theme.css'

/**
 * The pages with what a folder changes about them: `<language>.json` adds a language, or replaces texts of one that
 * there is; `theme.css` comes after the style. Other files are left alone.
 * @throws {PagesNotUsable} a file cannot be read, or something in it is not what it must be
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
    languages.set(key, { ...textsIn(file, textOf(file), fallback(languages, key)), language })
  }
  return languages
}

const keyOf = (file: string, language: string): string => {
  try {
    return new Intl.Locale(language).baseName.toLowerCase()
  } catch (error) {
    throw new PagesNotUsable(`The name of ${file} must be a language tag such as nl.json or pt-BR.json.`, {
      cause: error,
    })
  }
}

const fallback = (languages: Languages, key: string): Texts => {
  for (const range of languageRanges(key)) {
    const texts = languages.get(range)
    if (texts !== undefined) return texts
  }
  return LAST_RESORT
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new PagesNotUsable(`The folder of pages ${folder} cannot be read. Mend its name or rights.`, { cause: error })
  }
}

const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    throw new PagesNotUsable(`${file} cannot be read. Mend its rights, and see that it is text in UTF-8.`, {
      cause: error,
    })
  }
}
