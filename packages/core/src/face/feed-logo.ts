export const LOGO_TYPES = ['image/png', 'image/svg+xml'] as const

export type LogoType = (typeof LOGO_TYPES)[number]

/** The logo of a feed, cleaned. */
export interface FeedLogo {
  readonly type: LogoType
  /** Its bytes, in base64: as mails and pages carry it. */
  readonly content: string
}

/** 64 KiB. */
export const LARGEST_LOGO = 65_536

/** The logo as the address of an image in a page. */
export const logoUrl = ({ type, content }: FeedLogo): string => `data:${type};base64,${content}`
