import { type Feed, parseFeedName, plainFeed } from '@rollcall/core'
import type { OpenServer } from './open-server.ts'

/** A logo of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

/** A feed as an administrator could have created it. */
export const putFeed = async (
  { ports, clock }: Pick<OpenServer, 'ports' | 'clock'>,
  name: string,
  settings: Partial<Omit<Feed, 'name' | 'wordings'>> & { readonly wording?: string } = {},
): Promise<void> => {
  const { wording, ...rest } = settings
  const now = clock.now()
  const wordings = wording === undefined ? [] : [{ version: 1, text: wording, since: now }]
  await ports.unitOfWork.run(({ feeds }) => feeds.put({ ...plainFeed(parseFeedName(name), now), wordings, ...rest }))
}
