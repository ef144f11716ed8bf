/** Names of the landmarks in use, by their index in MediaPipe's face mesh. "Right" is the person's own right. */

/** The face's outline, clockwise in the picture from the centre of the forehead. */
export const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
  172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;
export const RIGHT_EYE = [33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246] as const;
export const LEFT_EYE = [263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466] as const;
export const RIGHT_BROW = [70, 63, 105, 66, 107, 55, 65, 52, 53, 46] as const;
export const LEFT_BROW = [300, 293, 334, 296, 336, 285, 295, 282, 283, 276] as const;
export const LIPS = [
  61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185,
] as const;
/** From brow to brow, around cheeks and mouth: nearly always bare skin, brows, eyes, nose and lips. */
export const INNER_FACE = [
  105, 66, 107, 336, 296, 334, 293, 353, 340, 352, 411, 427, 434, 430, 431, 262, 428, 199, 208, 32, 211, 210, 214, 207,
  187, 123, 111, 124, 63,
] as const;
export const CHIN = 152;
