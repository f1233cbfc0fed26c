/** The paths of the drawing of a gate in a wall, in a box of 440 by 350. */
export const gateShapes = {
  wall: 'M0 300V44a12 12 0 0 1 12-12h416a12 12 0 0 1 12 12v256z',
  stones:
    'M28 66h34M74 66h22M36 90h26M128 62h40M142 86h22M22 132h20M30 156h26M22 204h16M24 252h20M158 132h20M150 156h24M156 204h18M160 252h16M402 72h22M396 110h28M406 150h20M402 204h20M404 256h18M330 58h40M220 58h26',
  big: 'M190 300V178a98 98 0 0 1 196 0v122z',
  planks: 'M288 80v220M239 93v207M337 93v207M190 216h196M190 264h196',
  studs: 'M276 240h.1M300 240h.1',
  ground: 'M0 300h440',
  small: 'M60 300v-72a38 38 0 0 1 76 0v72',
  courses:
    'M63 214h70M60 236h76M60 258h76M60 280h76M98 190v24M82 214v22M116 214v22M98 236v22M82 258v22M116 258v22M98 280v20',
}

/** The drawing with the small gate walled up, for a page without a style sheet of its own. */
export const walledGate = `<svg class="gate" viewBox="0 0 440 350" aria-hidden="true"><path class="wall" d="${gateShapes.wall}"/><path class="thin" d="${gateShapes.stones}"/><path class="big" d="${gateShapes.big}"/><path class="thin" d="${gateShapes.planks}${gateShapes.studs}${gateShapes.ground}${gateShapes.courses}"/><path class="arch" d="${gateShapes.small}"/></svg>
`
