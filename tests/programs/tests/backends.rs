//! Each Python program, recorded on Magma, drawn again on Magma and on Espryt, and compared. The pages are kept beside the
//! build, in `program-results/recording/NAME/diff.html`.

use mgl_programs::recorded::{python, run};
use mgl_programs::{Result, compare};

/// The similarity that the comparison prints.
fn similarity(said: &str) -> Option<f64> {
    said.split("SSIM ").nth(1)?.split([' ', ',', '\n']).next()?.parse().ok()
}

fn check(name: &str, picture: &str, number: u32) -> Result<()> {
    let recorded = python(name, picture, number)?;
    let page = recorded.own.with_file_name("diff.html").display().to_string();
    let (code, said) = run(&["diff", &recorded.file, "--a", "magma", "--b", "espryt", "-o", &page])?;
    let same = similarity(&said).is_some_and(|ssim| ssim >= compare::SAME_PICTURE);
    assert!(same && matches!(code, Some(0 | 1)), "{name}: {said}see {page}");
    Ok(())
}

macro_rules! programs {
    ($($name:ident $picture:literal $number:literal),+ $(,)?) => {$(
        /// If this fails, what the program sends to its driver means something else to one of the two backends.
        #[test]
        fn $name() -> Result<()> { check(stringify!($name), $picture, $number) }
    )+};
}

// VTK opens a display to look at the driver and another one to draw.
programs!(
    demo "demo" 1, mesh "mesh" 1, instancing "instances" 1, postprocess "outline" 1, feedback "" 1, textures "float" 1,
    cubemap "cube" 1, compute "life" 1, tessellation "landscape" 1, geometry "leaves" 1, glass "glass" 1,
    vtk_cone "cone" 2, vtk_scene "scene" 2,
);
