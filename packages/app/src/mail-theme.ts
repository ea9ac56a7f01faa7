import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { MailColours, MailTheme } from '@rollcall/mail'

/** By the properties of pages that are the same. */
const COLOURS: readonly (readonly [property: string, colour: keyof MailColours])[] = [
  ['--ground', 'ground'],
  ['--surface', 'surface'],
  ['--line', 'line'],
  ['--text', 'text'],
  ['--quiet', 'quiet'],
  ['--accent', 'accent'],
  ['--on-accent', 'onAccent'],
]

const COMMENT = /\/\*[\s\S]*?\*\//g
const BLOCK = '\\{(?:[^{}]|\\{[^{}]*\\})*\\}'
const DARK = new RegExp(`@media\\s*\\(\\s*prefers-color-scheme\\s*:\\s*dark\\s*\\)\\s*(${BLOCK})`, 'g')
const AT_RULE = new RegExp(`@[a-z-]+[^{};]*${BLOCK}`, 'g')
const ROOT = /:root\s*\{([^{}]*)\}/g
// What every mail program knows.
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/**
 * The colours that a theme of pages gives to mails, too: those that are written as `#rgb` or `#rrggbb`. Mails cannot have
 * more of it, as programs that show them know neither properties nor style sheets.
 */
export const mailThemeOf = (css: string): MailTheme => {
  const rules = css.replace(COMMENT, '')
  const dark = [...rules.matchAll(DARK)].map(([, block = '']) => block).join('')
  return { light: coloursIn(rules.replace(AT_RULE, '')), dark: coloursIn(dark) }
}

const coloursIn = (rules: string): Partial<MailColours> => {
  const declarations = [...rules.matchAll(ROOT)].flatMap(([, block = '']) => block.split(';'))
  const values = new Map(declarations.map((one) => one.split(':', 2).map((part) => part.trim()) as [string, string]))
  return Object.fromEntries(
    COLOURS.flatMap(([property, colour]) => {
      const value = values.get(property) ?? ''
      return HEX.test(value) ? [[colour, whole(value)]] : []
    }),
  )
}

/** Old mail programs do not know the short form. */
const whole = (hex: string): string => (hex.length === 7 ? hex : hex.replace(/[0-9a-f]/gi, '$&$&')).toLowerCase()

/** How mails look by what is in a data folder. */
export const mailLookIn = (dataFolder: string) => {
  const templates = path.join(dataFolder, 'templates')
  return { templatesDir: existsSync(templates) ? templates : undefined, theme: mailThemeIn(dataFolder) }
}

/** Undefined if there is no theme, or if the pages will say what is wrong. */
const mailThemeIn = (dataFolder: string): MailTheme | undefined => {
  try {
    return mailThemeOf(readFileSync(path.join(dataFolder, 'pages', 'theme.css'), 'utf8'))
  } catch {
    return undefined
  }
}
