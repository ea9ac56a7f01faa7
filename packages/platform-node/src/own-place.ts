import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { OperatorError } from './operator-error.ts'

/** A file would be written to where another user has led its name. */
export class ForeignLink extends OperatorError {
  override readonly name = 'ForeignLink'

  constructor(link: string) {
    super(
      `${link} is a link of another user, who could lead elsewhere what is written. Give the name of the file itself, or a folder that only you can write to.`,
    )
  }
}

const ROOT = 0
// As Linux has it: more are a loop.
const MOST_LINKS = 40

/** Whether a link may tell where something is written: root could do so anyway. Windows tells no owner. */
export const isOwnLink = ({ uid }: Pick<Stats, 'uid'>, self: number | undefined = process.geteuid?.()): boolean =>
  self === undefined || uid === self || uid === ROOT

const partsOf = (place: string): string[] => place.split(path.sep === '/' ? '/' : /[\\/]/)

/**
 * The one name of a file, whatever links of this user lead to it; it need not be there. A link of another user is not
 * followed, on no part of the way: in a folder that several may write to, it may have been made in wait for this name.
 * @throws {ForeignLink} there is one
 */
export const ownPlaceSync = (file: string): string => {
  const { root } = path.parse(file)
  let place = root || process.cwd()
  const rest = partsOf(file.slice(root.length))
  for (let links = 0; ; ) {
    const part = rest.shift()
    if (part === undefined) return place
    const next = path.join(place, part)
    const found = lstatSync(next, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) {
      if (!isOwnLink(found)) throw new ForeignLink(next)
      // Throws, naming the loop.
      if (++links > MOST_LINKS) return realpathSync(file)
      const target = readlinkSync(next)
      const start = path.parse(target).root
      rest.unshift(...partsOf(target.slice(start.length)))
      if (start !== '') place = start
    } else place = next
  }
}
