/** The appearances a person may choose; `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const

export const chooseTheme = (wish: string | undefined): Theme => themes.find((theme) => theme === wish) ?? 'system'

export type Theme = (typeof themes)[number]
