import styles from './icon.module.css'

/** A line icon of one weight; the words beside it carry the meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className={styles.icon} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}

const shapes = {
  person: 'M10 10.2a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8M3.6 16.8c.7-2.9 3.2-4.5 6.4-4.5s5.7 1.6 6.4 4.5',
  team: 'M7.5 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2 16.5c.5-2.7 2.7-4.2 5.5-4.2s5 1.5 5.5 4.2M13 4.3a2.9 2.9 0 0 1 0 5.5M15.2 12.6c1.5.6 2.5 1.9 2.8 3.9',
  mail: 'M4 4.5h12A1.5 1.5 0 0 1 17.5 6v8a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 14V6A1.5 1.5 0 0 1 4 4.5M3 6l7 5 7-5',
  key: 'M7 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M9.5 10.5l7-7M13 7l2.5 2.5',
  shield: 'M10 2.5 3.5 5v4.5c0 4 2.7 6.7 6.5 8 3.8-1.3 6.5-4 6.5-8V5zM7.2 10l2 2 3.8-4',
  app: 'M4 3.5h3.5a.5.5 0 0 1 .5.5v4H3.5V4a.5.5 0 0 1 .5-.5M12 3.5h4a.5.5 0 0 1 .5.5v4H12zM3.5 12H8v4.5H4a.5.5 0 0 1-.5-.5zM14.25 16.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5',
  clock: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15M10 5.8V10l2.8 1.8',
  copy: 'M8 7h7.5A1.5 1.5 0 0 1 17 8.5V16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 16V8.5A1.5 1.5 0 0 1 8 7M3.5 13V4A1.5 1.5 0 0 1 5 2.5h8.5',
  check: 'm4 10.500 4 4 8-9',
  plus: 'M10 4v12M4 10h12',
  arrow: 'M4 10h12M11 5l5 5-5 5',
  leave: 'M8 3.5H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.5h3M8 10h9M13.5 6.5 17 10l-3.5 3.5',
  trash: 'M3.5 5.5h13M8 5.5v-2h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 9v4.5M11.5 9v4.5',
  info: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15M10 9.2v4.6M10 6.3v.1',
  attention: 'M10 3 2.3 16.5h15.4zM10 8v4M10 14.3v.1',
  danger: 'M6.9 2.5h6.2l4.4 4.4v6.2l-4.4 4.4H6.9l-4.4-4.4V6.9zM10 6v5M10 13.7v.1',
} as const

export type IconName = keyof typeof shapes
