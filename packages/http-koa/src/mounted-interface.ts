import type { IncomingHttpHeaders } from 'node:http'

/**
 * Another interface on the same port, below a path. It says what is answered there, and how errors look; what every request
 * goes through is done before: framing, TRACE, the id of the request, limits of the body, the log.
 */
export interface MountedInterface {
  /** Such as `/scim/v2`. */
  readonly path: string
  /** The media types of bodies. */
  readonly bodyTypes: readonly string[]
  /** The pattern that a path matches, for the log and metrics: no path, because ids are in it. */
  routeOf(path: string): string | undefined
  /** @throws an error of the core or of the body, which `errorAnswer` then answers */
  answer(request: MountedRequest): Promise<MountedAnswer>
  /** How an error looks there; header fields are those of any answer to it. */
  errorAnswer(error: unknown, response: { readonly status: number; readonly message: string }): MountedAnswer
}

export interface MountedRequest {
  readonly method: string
  /** Behind that of the interface, as it came: percent escapes are valid and not undone. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  /** The bytes of the body, which are not read before this is called. */
  body(): Promise<Buffer>
}

export interface MountedAnswer {
  readonly status: number
  /** With the type of the body, if there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}
