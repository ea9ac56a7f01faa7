/**
 * A language tag and what to fall back on, best first, in lower case: `zh-Hant-TW` gives zh-hant-tw, zh-hant, zh.
 * @see RFC 4647 section 3.4
 */
export const languageRanges = (tag: string): readonly string[] => {
  const subtags = tag.toLowerCase().split('-')
  const ranges: string[] = []
  while (subtags.length > 0) {
    ranges.push(subtags.join('-'))
    subtags.pop()
    // A single letter only introduces what came after it.
    if (subtags.at(-1)?.length === 1) subtags.pop()
  }
  return ranges
}
