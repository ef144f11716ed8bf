export const stillPictures = import.meta.glob<string>('./pictures/{scene,cutout,study}-*', {
  eager: true,
  query: '?url',
  import: 'default',
});
