import { pageContext } from '#app/_page/page-context.ts'
import { gateShapes } from '#lib/server/plain-page/gate-shapes'
import styles from './gate-drawing.module.css'

/** A drawing of a gate: ajar with a light behind it, or walled up on an error page. It is ours, so a brand shows none. */
export async function GateDrawing({ walled }: { walled?: boolean }) {
  if ((await pageContext()).config.brand.isOwn) return null
  return (
    <svg className={styles.drawing} viewBox="0 0 440 350" aria-hidden="true">
      <path className={styles.wall} d={gateShapes.wall} />
      <path className={styles.stones} d={gateShapes.stones} />
      <path className={styles.big} d={gateShapes.big} />
      <path className={styles.planks} d={gateShapes.planks} />
      <path className={styles.studs} d={gateShapes.studs} />
      <path className={styles.ground} d={gateShapes.ground} />
      {walled ? <WalledUp /> : <Ajar />}
    </svg>
  )
}

function Ajar() {
  return (
    <>
      <path className={styles.light} d="M103 301h33l46 37h-66z" />
      <path className={styles.glow} d={`${gateShapes.small}z`} />
      <path className={styles.leaf} d="M57 300v-72c0-22 17-35 45-32v118z" />
      <path className={styles.knob} d="M94 256h.1" />
      <path className={styles.arch} d={gateShapes.small} />
    </>
  )
}

function WalledUp() {
  return (
    <>
      <path className={styles.filled} d={`${gateShapes.small}z`} />
      <path className={styles.courses} d={gateShapes.courses} />
      <path className={styles.missing} d={gateShapes.small} />
    </>
  )
}
