import Mustache from 'mustache'
import { MailSettingsNotUsable } from './mail-settings-not-usable.ts'

/** A file of a template, parsed once and rendered often. */
export type Template = (view: object) => string

/** @throws {MailSettingsNotUsable} the template cannot be parsed; names the file */
export const textTemplate = (source: string, file: string): Template => parsed(source, file, (value) => value)

/** As `textTemplate`, but what is filled in is escaped for HTML. */
export const htmlTemplate = (source: string, file: string): Template => parsed(source, file, escapeHtml)

const parsed = (source: string, file: string, escaped: (value: string) => string): Template => {
  const writer = new Mustache.Writer()
  const tokens = parse(writer, withCrlf(source), file)
  return (view) =>
    writer.renderTokens(tokens, new Mustache.Context(view), undefined, source, {
      escape: (value: unknown) => escaped(String(value)),
    })
}

const parse = (writer: Mustache.Writer, source: string, file: string): string[][] => {
  try {
    return writer.parse(source)
  } catch (error) {
    throw new MailSettingsNotUsable(`The mail template ${file} is broken: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

// Mails have no other line ends. Here once, not in every mail: what is filled in has none.
const withCrlf = (source: string): string => source.replace(/\r\n?|\n/g, '\r\n')

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Fewer than Mustache would: a link stays readable, and attributes are quoted.
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
