import { base64Of, textFromUtf8, utf8Of } from '../bytes.ts'
import { InvalidInput } from '../errors.ts'
import { cleanPng, isPng } from './clean-png.ts'
import { cleanSvg } from './clean-svg.ts'
import { type FeedLogo, LARGEST_LOGO } from './feed-logo.ts'

const problem = (message: string): InvalidInput => new InvalidInput([{ field: 'logo', message }])

/**
 * The picture in these bytes, whatever it was called, without anything that does not draw.
 * @throws {InvalidInput} it is too large, neither PNG nor SVG, or has what a logo cannot have
 */
export const cleanLogo = (bytes: Uint8Array): FeedLogo => {
  if (bytes.length > LARGEST_LOGO)
    throw problem('The logo is larger than 64 KiB. Make it smaller: it is part of every mail.')
  if (isPng(bytes)) {
    const png = cleanPng(bytes)
    if ('problem' in png) throw problem(png.problem)
    return { type: 'image/png', content: base64Of(png) }
  }
  const source = textFromUtf8(bytes)
  if (source === undefined || !/^\uFEFF?\s*</.test(source))
    throw problem('Give the logo as a PNG, or as an SVG in UTF-8.')
  const svg = cleanSvg(source.replace(/^\uFEFF?\s*/, ''))
  if (typeof svg !== 'string') throw problem(svg.problem)
  const content = utf8Of(svg)
  // Signs that are written out may make it longer than it was.
  if (content.length > LARGEST_LOGO)
    throw problem('The logo is larger than 64 KiB. Make it smaller: it is part of every mail.')
  return { type: 'image/svg+xml', content: base64Of(content) }
}
