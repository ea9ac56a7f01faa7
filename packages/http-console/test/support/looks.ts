/** What a page is looked at in: on a phone and on a desk, light and dark. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 1280].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
)
