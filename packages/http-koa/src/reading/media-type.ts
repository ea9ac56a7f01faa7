import type { RecordFormat } from '@rollcall/core'

type BodyKind = 'form' | 'json'

const KINDS: Readonly<Record<string, BodyKind>> = {
  'application/x-www-form-urlencoded': 'form',
  'application/json': 'json',
}

/**
 * How to parse a body with this Content-Type; undefined if the type or its charset is not supported, or the value is
 * malformed.
 */
export const bodyKindOf = (contentType: string): BodyKind | undefined => kindOf(KINDS, contentType)

const PATCH_KINDS: Readonly<Record<string, BodyKind>> = {
  'application/merge-patch+json': 'json',
  'application/json': 'json',
}

/** As `bodyKindOf`, for the body of a PATCH. */
export const patchKindOf = (contentType: string): BodyKind | undefined => kindOf(PATCH_KINDS, contentType)

export const FILE_TYPES: Readonly<Record<RecordFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
}

const FORMATS: Readonly<Record<string, RecordFormat>> = { 'application/x-ndjson': 'ndjson', 'text/csv': 'csv' }

/** As `bodyKindOf`, for a file of records. */
export const recordFormatOf = (contentType: string): RecordFormat | undefined => kindOf(FORMATS, contentType)

/** Whether the value of a Content-Type is well-formed, of one of these types and in UTF-8. */
export const isOneOf = (types: readonly string[], contentType: string): boolean =>
  kindOf(Object.fromEntries(types.map((type) => [type, type])), contentType) !== undefined

/** What semicolons separate, but for those within quotation marks. */
const PARTS = /(?:"(?:\\.?|[^"\\])*(?:"|$)|[^;"])+/g

const kindOf = <Kind>(kinds: Readonly<Record<string, Kind>>, contentType: string): Kind | undefined => {
  // Most clients send it just so.
  if (Object.hasOwn(kinds, contentType)) return kinds[contentType]
  const text = contentType.toLowerCase()
  const [type = ''] = text.split(';', 1)
  const name = type.trim()
  if (!Object.hasOwn(kinds, name)) return undefined
  return (text.slice(type.length).match(PARTS) ?? []).every(isHarmless) ? kinds[name] : undefined
}

const isHarmless = (parameter: string): boolean => {
  const [name = '', ...value] = parameter.split('=')
  return name.trim() !== 'charset' || /^(?:utf-8|"utf-8")$/.test(value.join('=').trim())
}

/** The media types of a patch that PATCH takes, as `Accept-Patch` lists them (RFC 5789 section 3.1). */
export const ACCEPT_PATCH = Object.keys(PATCH_KINDS).join(', ')
