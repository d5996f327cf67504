//! The CUDA driver, loaded at run time: no toolkit is needed, and none to build this crate.
//!
//! Names and types of the calls are those of the CUDA Driver API reference.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null_mut, without_provenance_mut};

use libloading::Library;

use crate::driver::{Driver, DriverError, Extent, Module};

/// Bytes of dynamic shared memory that a kernel has without asking.
const USUAL_SHARED_BYTES: u32 = 48 << 10;
/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
const MAX_DYNAMIC_SHARED: c_int = 8;
/// `CU_JIT_ERROR_LOG_BUFFER`.
const ERROR_LOG: c_int = 5;
/// `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`.
const ERROR_LOG_BYTES: c_int = 6;
/// `CU_LAUNCH_PARAM_BUFFER_POINTER`.
const PARAM_BUFFER: *mut c_void = without_provenance_mut(1);
/// `CU_LAUNCH_PARAM_BUFFER_SIZE`.
const PARAM_BYTES: *mut c_void = without_provenance_mut(2);
/// Bytes of messages that the driver's compiler may write.
const LOG_BYTES: usize = 8192;

type Handle = *mut c_void;

/// Declares the calls that are used, and how to find them.
macro_rules! api {
    ($($name:ident = $symbol:literal ( $($arg:ty),* );)*) => {
        struct Api {
            $($name: unsafe extern "C" fn($($arg),*) -> c_int,)*
            /// Keeps the functions where they are.
            _library: Library,
        }

        impl Api {
            fn load() -> Result<Self, libloading::Error> {
                // SAFETY: the driver's library may be loaded at any time; the types are those of its
                // reference, and the functions are called only while `_library` is there.
                unsafe {
                    let library = Library::new("libcuda.so.1")?;
                    $(let $name: unsafe extern "C" fn($($arg),*) -> c_int =
                        *library.get(concat!($symbol, "\0").as_bytes())?;)*
                    Ok(Self { $($name,)* _library: library })
                }
            }
        }
    };
}

api! {
    init = "cuInit"(c_uint);
    device_count = "cuDeviceGetCount"(*mut c_int);
    device_name = "cuDeviceGetName"(*mut c_char, c_int, c_int);
    retain_context = "cuDevicePrimaryCtxRetain"(*mut Handle, c_int);
    release_context = "cuDevicePrimaryCtxRelease_v2"(c_int);
    set_context = "cuCtxSetCurrent"(Handle);
    load_module = "cuModuleLoadDataEx"(*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    function = "cuModuleGetFunction"(*mut Handle, Handle, *const c_char);
    set_attribute = "cuFuncSetAttribute"(Handle, c_int, c_int);
    global = "cuModuleGetGlobal_v2"(*mut u64, *mut usize, Handle, *const c_char);
    allocate = "cuMemAlloc_v2"(*mut u64, usize);
    free = "cuMemFree_v2"(u64);
    to_device = "cuMemcpyHtoD_v2"(u64, *const c_void, usize);
    to_host = "cuMemcpyDtoH_v2"(*mut c_void, u64, usize);
    launch = "cuLaunchKernel"(
        Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void
    );
    synchronize = "cuCtxSynchronize"();
    error_text = "cuGetErrorString"(c_int, *mut *const c_char);
}

/// No GPU can be used here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGpu {
    /// There is no CUDA driver.
    #[error("no CUDA driver: {reason}")]
    NoDriver {
        /// What the loader says.
        reason: String,
    },
    /// The driver does not start.
    #[error("the CUDA driver does not start: {0}")]
    NotStarted(DriverError),
    /// The driver finds no device.
    #[error("the CUDA driver finds no device")]
    NoDevice,
}

/// The first GPU of this machine.
pub struct Cuda {
    api: Api,
    name: String,
    modules: Vec<Handle>,
}

/// The first device.
const DEVICE: c_int = 0;

impl Cuda {
    /// Takes the first GPU.
    ///
    /// # Errors
    /// Why there is none.
    pub fn open() -> Result<Self, NoGpu> {
        let api = Api::load().map_err(|e| NoGpu::NoDriver { reason: e.to_string() })?;
        let mut gpu = Self { api, name: String::new(), modules: Vec::new() };
        let mut count = 0;
        // SAFETY: plain calls with places for their results that live long enough.
        let (init, counted) = unsafe { ((gpu.api.init)(0), (gpu.api.device_count)(&raw mut count)) };
        gpu.done("cuInit", init).map_err(NoGpu::NotStarted)?;
        gpu.done("cuDeviceGetCount", counted).map_err(NoGpu::NotStarted)?;
        if count < 1 {
            return Err(NoGpu::NoDevice);
        }
        let mut name = [0; 256];
        let mut context = null_mut();
        // SAFETY: as above; `name` has the 256 bytes that the call is told, its last stays 0.
        let (named, retained) = unsafe {
            (
                (gpu.api.device_name)(name.as_mut_ptr(), 255, DEVICE),
                (gpu.api.retain_context)(&raw mut context, DEVICE),
            )
        };
        gpu.done("cuDeviceGetName", named).map_err(NoGpu::NotStarted)?;
        gpu.done("cuDevicePrimaryCtxRetain", retained).map_err(NoGpu::NotStarted)?;
        // SAFETY: the context was made just now.
        let set = unsafe { (gpu.api.set_context)(context) };
        gpu.done("cuCtxSetCurrent", set).map_err(NoGpu::NotStarted)?;
        // SAFETY: the driver ends the name with 0.
        gpu.name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
        Ok(gpu)
    }

    /// The device's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    fn done(&self, call: &str, code: c_int) -> Result<(), DriverError> {
        if code == 0 {
            return Ok(());
        }
        let mut text = std::ptr::null();
        // SAFETY: a place for a pointer; the text that it gets is the driver's and stays.
        let known = unsafe { (self.api.error_text)(code, &raw mut text) } == 0 && !text.is_null();
        // SAFETY: as above; the driver ends its texts with 0.
        let text = if known { unsafe { CStr::from_ptr(text) }.to_string_lossy() } else { "".into() };
        Err(DriverError::new(call, format!("error {code} {text}")))
    }

    fn handle(&self, module: Module) -> Result<Handle, DriverError> {
        let handle = self.modules.get(module.0).copied();
        handle.ok_or_else(|| DriverError::new("module", "was not loaded"))
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // SAFETY: the context was retained in `open`; nothing is called after.
        unsafe { (self.api.release_context)(DEVICE) };
    }
}

fn c_string(name: &str) -> Result<CString, DriverError> {
    CString::new(name).map_err(|e| DriverError::new(name.escape_default().to_string(), e))
}

impl Driver for Cuda {
    fn load(&mut self, ptx: &str) -> Result<Module, DriverError> {
        let text = c_string(ptx).map_err(|_| DriverError::new("PTX", "has a byte 0"))?;
        let mut log = vec![0_u8; LOG_BYTES];
        let mut options = [ERROR_LOG, ERROR_LOG_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), without_provenance_mut(LOG_BYTES)];
        let mut module = null_mut();
        // SAFETY: two options with their values, a buffer of the size that they say, a text that ends with 0.
        let code = unsafe {
            (self.api.load_module)(
                &raw mut module,
                text.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        self.done("cuModuleLoadDataEx", code).map_err(|mut error| {
            let said: Vec<u8> = log.into_iter().take_while(|&byte| byte != 0).collect();
            error.reason = format!("{}; {}", error.reason, String::from_utf8_lossy(&said).trim());
            error
        })?;
        self.modules.push(module);
        Ok(Module(self.modules.len() - 1))
    }

    fn variable(&mut self, module: Module, name: &str) -> Result<(u64, usize), DriverError> {
        let (module, symbol) = (self.handle(module)?, c_string(name)?);
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: a module that was loaded, a text that ends with 0, places for the results.
        let code = unsafe { (self.api.global)(&raw mut address, &raw mut bytes, module, symbol.as_ptr()) };
        self.done(&format!("cuModuleGetGlobal {name}"), code)?;
        Ok((address, bytes))
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, DriverError> {
        let mut address = 0;
        // SAFETY: a place for the result.
        let code = unsafe { (self.api.allocate)(&raw mut address, bytes) };
        self.done(&format!("cuMemAlloc {bytes}"), code)?;
        Ok(address)
    }

    fn free(&mut self, address: u64) -> Result<(), DriverError> {
        // SAFETY: the driver refuses what it did not allocate.
        let code = unsafe { (self.api.free)(address) };
        self.done("cuMemFree", code)
    }

    fn upload(&mut self, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        // SAFETY: as many bytes as the slice has; the driver refuses a wrong address of its own.
        let code = unsafe { (self.api.to_device)(address, bytes.as_ptr().cast(), bytes.len()) };
        self.done("cuMemcpyHtoD", code)
    }

    fn download(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        // SAFETY: as in `upload`; the slice is this call's alone.
        let code = unsafe { (self.api.to_host)(bytes.as_mut_ptr().cast(), address, bytes.len()) };
        self.done("cuMemcpyDtoH", code)
    }

    fn launch(
        &mut self,
        module: Module,
        entry: &str,
        extent: Extent,
        params: &[u8],
    ) -> Result<(), DriverError> {
        let (module, symbol) = (self.handle(module)?, c_string(entry)?);
        let mut function = null_mut();
        // SAFETY: a module that was loaded, a text that ends with 0, a place for the result.
        let code = unsafe { (self.api.function)(&raw mut function, module, symbol.as_ptr()) };
        self.done(&format!("cuModuleGetFunction {entry}"), code)?;
        if extent.shared_bytes > USUAL_SHARED_BYTES {
            let bytes = c_int::try_from(extent.shared_bytes)
                .map_err(|e| DriverError::new("dynamic shared memory", e))?;
            // SAFETY: a function that was found just now.
            let code = unsafe { (self.api.set_attribute)(function, MAX_DYNAMIC_SHARED, bytes) };
            self.done("cuFuncSetAttribute", code)?;
        }
        let mut bytes = params.len();
        // The driver reads the block through a pointer to mutable.
        let mut block = params.to_vec();
        let mut extra =
            [PARAM_BUFFER, block.as_mut_ptr().cast(), PARAM_BYTES, (&raw mut bytes).cast(), null_mut()];
        let ([gx, gy, gz], [bx, by, bz]) = (extent.grid, extent.block);
        // SAFETY: a function that was found just now; `extra` ends with 0 and points to a block and its size
        // that live until the call returns, by when the driver has copied them.
        let code = unsafe {
            (self.api.launch)(
                function,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                extent.shared_bytes,
                null_mut(),
                null_mut(),
                extra.as_mut_ptr(),
            )
        };
        self.done(&format!("cuLaunchKernel {entry}"), code)?;
        // SAFETY: waits for the launch; a fault of the kernel shows here.
        let code = unsafe { (self.api.synchronize)() };
        self.done(&format!("{entry}: cuCtxSynchronize"), code)
    }
}
