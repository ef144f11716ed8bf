/** Addresses of the pictures that only stand there, by file name. */
export const stillPictures = import.meta.glob<string>('./pictures/{scene,cutout,study}-*', {
  eager: true,
  query: '?url',
  import: 'default',
});
