import { openApiDocument } from '../../src/index.ts'

/** One operation of the document, as far as tests look at it. */
export interface Documented {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly security: readonly object[]
  readonly parameters: readonly { name: string; in: string; schema: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: Record<string, unknown> }>> }
}

/** One link of an answer. */
export interface Linked {
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
}

export const document = openApiDocument('https://rollcall.example')
export const paths = document.paths as Record<string, Record<string, Documented>>
export const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'trace')
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** An empty requirement says that it also goes without. */
export const needsToken = ({ security }: Pick<Documented, 'security'>): boolean =>
  security.length > 0 && !security.some((one) => Object.keys(one).length === 0)

/** An answer that operations share is a reference. */
export const resolved = (response: unknown): unknown => {
  const { $ref = '' } = response as { $ref?: string }
  return $ref === '' ? response : document.components.responses[$ref.replace('#/components/responses/', '')]
}
