import { PagesNotUsable } from './pages-not-usable.ts'

const LONGEST = 64 * 1024
const END_OF_STYLE = /<\/style/i
// What no page loads: it would only be missed once somebody looks at it.
const ELSEWHERE = /@import\b|url\((?!\s*["']?(?:data:|#))/i

/**
 * A style sheet that comes after the one that pages have.
 * @throws {PagesNotUsable} it cannot be written into a page as it is
 */
export const checkTheme = (file: string, css: string): string => {
  const refuse = (problem: string): never => {
    throw new PagesNotUsable(`${file} ${problem}`)
  }
  if (Buffer.byteLength(css) > LONGEST) return refuse('is too long: it may have 64 KiB.')
  if (END_OF_STYLE.test(css)) return refuse("must not contain '</style', not even in a comment.")
  if (css.includes('\0')) return refuse('must not contain a null character.')
  if (ELSEWHERE.test(css))
    return refuse('loads something from elsewhere, which no page does: write it in as a data: URL, without @import.')
  return css.replace(/\r\n?/g, '\n')
}
