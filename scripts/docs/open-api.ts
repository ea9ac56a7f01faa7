import { openApiDocument } from '../../packages/http-koa/src/index.ts'
import type { JsonSchema } from '../client/type-text.ts'

export interface Schema extends JsonSchema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

interface Answer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Answer>>
}

interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

export const DOCUMENT = openApiDocument('https://rollcall.example') as unknown as OpenApi

export const SCHEMAS = DOCUMENT.components.schemas

export interface Endpoint {
  readonly method: string
  readonly at: string
  readonly operation: Operation
}

export const ENDPOINTS: readonly Endpoint[] = Object.entries(DOCUMENT.paths).flatMap(([at, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'trace')
    .map(([method, operation]) => ({ method: method.toUpperCase(), at, operation })),
)
