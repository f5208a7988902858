// Stands for yoctocolors in the bundle (see build.mjs). A name that execa takes besides fails the build.
const plain = (text) => text;
export { plain as bold, plain as gray, plain as redBright, plain as yellowBright };
