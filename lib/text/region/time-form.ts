/** How a browser writes times. Both parts are empty if they are unknown: then in UTC, and in English as in America. */
export type TimeForm = {
  /** A time zone (IANA). */
  timeZone: string
  /** The English of a region, such as `en-GB`. */
  english: string
}
