import { Icon, type IconName } from '#app/_ui/icon.tsx'
import { Mark } from '#app/_ui/mark.tsx'
import { Wordmark } from '#app/_ui/wordmark.tsx'
import styles from './page.module.css'
import { Section } from './section.tsx'

const colours = 'ground surface sunken ink ink-soft green green-wash amber amber-wash red red-wash'.split(' ')
const icons = 'person team mail key shield app clock copy check plus arrow leave trash info attention danger'.split(
  ' ',
) as IconName[]

/** Mark, colours, type and icons. */
export function Foundations({ service }: { service: string }) {
  return (
    <Section title="Foundations">
      <div className={styles.row}>
        <Wordmark name={service} />
        {[16, 24, 32, 64].map((size) => (
          <Mark key={size} size={size} />
        ))}
      </div>
      <ul className={styles.swatches}>
        {colours.map((colour) => (
          <li key={colour}>
            <span className={styles[colour]} />
            {colour}
          </li>
        ))}
      </ul>
      <div className={styles.scale}>
        <p>A gate ajar 門が開く 门半开 門半開</p>
        <p>A gate ajar 門が開く 门半开 門半開</p>
        <p>A gate ajar 門が開く 门半开 門半開</p>
        <p>A gate ajar 門が開く 门半开 門半開</p>
        <p>A gate ajar 門が開く 门半开 門半開</p>
      </div>
      <div className={styles.row}>
        {icons.map((name) => (
          <span key={name} className={styles.row}>
            <Icon name={name} /> {name}
          </span>
        ))}
      </div>
    </Section>
  )
}
