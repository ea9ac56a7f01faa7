import { SORTS } from '@rollcall/core'
import * as v from 'valibot'
import { type Json, jsonOf, oneOf, type Schema, said, text, word, wordOf } from './schema.ts'
import { cursor, line, signedCursor } from './words.ts'

/** What the document says of a parameter, beside its schema. */
interface Parameter {
  readonly description: string
  readonly example?: string | number | boolean
  readonly required?: boolean
}

/** The schema for one parameter of a query or a path; with an example, if there is one. */
export const parameter = <T>(
  description: string,
  schema: Schema<T>,
  example?: Parameter['example'],
  more: { readonly required?: boolean } = {},
): Schema<T> =>
  v.pipe(schema, v.metadata({ parameter: { description, ...(example !== undefined && { example }), ...more } }))

/** It, as the document has it. */
export const parameterOf = (schema: Schema): Parameter & { readonly schema: Json } => ({
  ...(v.getMetadata(schema).parameter as Parameter),
  schema: jsonOf(schema),
})

/** A number that the core reads. */
const digits = (json: Json): Schema<string> => word(text(), { type: 'integer', ...json })

/** A whole number, which is digits in a query. */
export const wholeNumber = (json: Json = {}): Schema<number> =>
  word(v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'Give a whole number.'), v.transform(Number)), {
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999_999_999,
    ...json,
  })

export const withDefault = <T>(value: T, schema: Schema<T>): Schema<T> => said(schema, { default: value })

export const PAGING = {
  limit: parameter('How many at most.', digits({ minimum: 1, maximum: 200, default: 50 }), 20),
  cursor: parameter("The 'next' of the page before.", cursor),
}

export const SORTING = {
  ...PAGING,
  cursor: parameter("The 'next' or the 'previous' of a page of the same order.", signedCursor),
  sort: parameter('Which come first.', withDefault('oldest', wordOf(SORTS))),
}

/** The query of a list that goes on behind what the caller has, without a cursor. */
export const after = (description: string, shape = cursor) => ({
  after: parameter(description, shape),
  limit: PAGING.limit,
})

export const reason = (description: string) => parameter(description, line(500), 'asked for by mail')

/** What becomes of something that hangs on what goes. */
export const keepOrErase = (description: string) =>
  parameter(description, withDefault('keep', oneOf(['keep', 'erase'])))
