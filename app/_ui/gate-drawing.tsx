import styles from './gate-drawing.module.css'

/** A drawing of a gate: ajar with a light behind it, or walled up on the page for unknown addresses. */
export function GateDrawing({ walled }: { walled?: boolean }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 440 350" aria-hidden="true">
      <path className={styles.wall} d="M0 300V44a12 12 0 0 1 12-12h416a12 12 0 0 1 12 12v256z" />
      <path className={styles.stones} d={stones} />
      <path className={styles.big} d="M190 300V178a98 98 0 0 1 196 0v122z" />
      <path className={styles.planks} d="M288 80v220M239 93v207M337 93v207M190 216h196M190 264h196" />
      <path className={styles.studs} d="M276 240h.1M300 240h.1" />
      <path className={styles.ground} d="M0 300h440" />
      {walled ? <WalledUp /> : <Ajar />}
    </svg>
  )
}

function Ajar() {
  return (
    <>
      <path className={styles.light} d="M103 301h33l46 37h-66z" />
      <path className={styles.glow} d="M60 300v-72a38 38 0 0 1 76 0v72z" />
      <path className={styles.leaf} d="M57 300v-72c0-22 17-35 45-32v118z" />
      <path className={styles.knob} d="M94 256h.1" />
      <path className={styles.arch} d="M60 300v-72a38 38 0 0 1 76 0v72" />
    </>
  )
}

function WalledUp() {
  return (
    <>
      <path className={styles.filled} d="M60 300v-72a38 38 0 0 1 76 0v72z" />
      <path
        className={styles.courses}
        d="M63 214h70M60 236h76M60 258h76M60 280h76M98 190v24M82 214v22M116 214v22M98 236v22M82 258v22M116 258v22M98 280v20"
      />
      <path className={styles.missing} d="M60 300v-72a38 38 0 0 1 76 0v72" />
    </>
  )
}

const stones = [
  'M28 66h34M74 66h22M36 90h26M128 62h40M142 86h22M22 132h20M30 156h26M22 204h16M24 252h20',
  'M158 132h20M150 156h24M156 204h18M160 252h16M402 72h22M396 110h28M406 150h20M402 204h20M404 256h18M330 58h40M220 58h26',
].join('')
