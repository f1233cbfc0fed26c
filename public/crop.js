// Shows which part of a picture becomes the avatar, and lets it be moved; without this the middle is taken.
const box = document.querySelector('[data-crop]')
const form = box.closest('form')
const file = form.querySelector('input[type=file]')
const canvas = box.querySelector('canvas')
const [zoom, across, down] = box.querySelectorAll('input[type=range]')
const fields = ['x', 'y', 'size'].map((name) => form.elements.namedItem(name))
const dialog = box.closest('dialog')
const save = document.getElementById('picture-save')
let picture

/** The square that is kept, in the picture's own pixels. */
function part() {
  const size = Math.max(1, Math.floor(Math.min(picture.width, picture.height) / (1 + zoom.value / 400)))
  const at = (slider, room) => Math.floor((room * slider.value) / 1000)
  return { x: at(across, picture.width - size), y: at(down, picture.height - size), size }
}

function draw() {
  const { x, y, size } = part()
  for (const field of fields) field.value = part()[field.name]
  const paper = canvas.getContext('2d')
  paper.clearRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(picture, x, y, size, size, 0, 0, canvas.width, canvas.height)
}

/** Photos of today's phones are larger than what is accepted: a smaller copy goes in their place. */
async function shrink() {
  const scale = Math.min(1, 2048 / Math.max(picture.width, picture.height))
  const copy = document.createElement('canvas')
  copy.width = Math.round(picture.width * scale)
  copy.height = Math.round(picture.height * scale)
  copy.getContext('2d').drawImage(picture, 0, 0, copy.width, copy.height)
  const blob = await new Promise((done) => copy.toBlob(done, 'image/jpeg', 0.9))
  const chosen = new DataTransfer()
  chosen.items.add(new File([blob], 'picture.jpg', { type: 'image/jpeg' }))
  file.files = chosen.files
  picture = copy
}

/** What cannot be shown here is sent as it is: the server says what is wrong with it. */
async function show() {
  const [chosen] = file.files
  box.hidden = true
  for (const field of fields) field.value = ''
  // A button that could do nothing is off.
  save.disabled = !chosen
  const read = chosen && (await createImageBitmap(chosen).catch(() => undefined))
  // The dialog may have been cancelled, or another file chosen, while this one was read.
  if (!read || file.files[0] !== chosen) return
  picture = read
  const { bytes, pixels } = box.dataset
  if (chosen.size > Number(bytes) || picture.width * picture.height > Number(pixels)) await shrink()
  zoom.value = 0
  across.value = down.value = 500
  box.hidden = false
  draw()
}

/** A drag moves the picture under the square, as far as there is some left. */
function drag(event) {
  if (!canvas.hasPointerCapture(event.pointerId)) return
  const { size } = part()
  const move = (slider, by, room) => {
    if (room > 0) slider.value = Number(slider.value) - (((by * size) / canvas.clientWidth) * 1000) / room
  }
  move(across, event.movementX, picture.width - size)
  move(down, event.movementY, picture.height - size)
  draw()
}

file.addEventListener('change', show)
box.addEventListener('input', draw)
canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId))
canvas.addEventListener('pointermove', drag)
canvas.addEventListener('wheel', (event) => {
  event.preventDefault()
  zoom.value = Number(zoom.value) - event.deltaY
  draw()
})
// What was chosen is forgotten with a cancelled dialog.
dialog.addEventListener('close', () => {
  form.reset()
  return show()
})
if (dialog.dataset.open) dialog.showModal()
// A page that comes back may still hold the file it was left with.
await show()
